import { DeepEMD, type CreateOptions, type Progress } from "deepemd";
import { useEffect, useState } from "react";

/** An engine while the component is mounted, and its state until it runs. */
export interface Started {
  engine: DeepEMD | null;
  progress: Progress | null;
  error: Error | null;
}

const NOTHING: Started = { engine: null, progress: null, error: null };

/**
 * Starts an engine when the component mounts, and ends it when it unmounts. StrictMode does
 * both twice: the first start is aborted early.
 *
 * @param options of the engine; changes do not restart it
 */
export function useEngine(options: Omit<CreateOptions, "signal" | "onProgress"> = {}): Started {
  const [started, setStarted] = useState(NOTHING);
  useEffect(() => {
    const start = new AbortController();
    let mine: DeepEMD | undefined;
    const onProgress = (progress: Progress) => {
      if (!start.signal.aborted) setStarted({ ...NOTHING, progress });
    };
    DeepEMD.create({ ...options, onProgress, signal: start.signal }).then(
      (engine) => {
        if (start.signal.aborted) return engine.dispose();
        mine = engine;
        setStarted({ ...NOTHING, engine });
      },
      (error: Error) => {
        if (!start.signal.aborted) setStarted({ ...NOTHING, error });
      },
    );
    return () => {
      start.abort();
      mine?.dispose();
      setStarted(NOTHING);
    };
  }, []);
  return started;
}
