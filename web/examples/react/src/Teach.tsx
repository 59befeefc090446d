import type { DeepEMD } from "deepemd";
import { useEffect, useState } from "react";

/** Milliseconds between two examples while the button is held. */
const PACE = 120;

/** A class: its button teaches while it is held, and its bar shows the probability. */
export function Teach({ engine, video, label, share }: { engine: DeepEMD; video: HTMLVideoElement | null; label: string; share: number }) {
  const [held, setHeld] = useState(false);
  const [taught, setTaught] = useState(0);

  useEffect(() => {
    if (!held || !video) return;
    const stop = new AbortController();
    const teach = async () => {
      const id = engine.classes.find((c) => c.label === label)?.id ?? (await engine.addClass(label));
      while (!stop.signal.aborted) {
        await engine.addExample(id, video, { signal: stop.signal });
        setTaught((n) => n + 1);
        await new Promise((resolve) => setTimeout(resolve, PACE));
      }
    };
    teach().catch((error: Error) => {
      if (!stop.signal.aborted) console.error(error.message);
    });
    return () => stop.abort();
  }, [held, engine, video, label]);

  const release = () => setHeld(false);
  return (
    <li>
      <button
        className={held ? "held" : ""}
        disabled={!video}
        onPointerDown={() => setHeld(true)}
        onPointerUp={release}
        onPointerLeave={release}
        onBlur={release}
        onKeyDown={({ key }) => key === " " && setHeld(true)}
        onKeyUp={release}
      >
        {label} <small>{taught}</small>
      </button>
      <meter value={share} aria-label={`Probability of ${label}`} />
      <span className="share">{Math.round(100 * share)}%</span>
    </li>
  );
}
