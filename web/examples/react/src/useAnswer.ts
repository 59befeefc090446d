import type { Answer, DeepEMD } from "deepemd";
import { useEffect, useState } from "react";

/** What the engine takes a video for, frame after frame; null while it cannot say. */
export function useAnswer(engine: DeepEMD | null, video: HTMLVideoElement | null): Answer | null {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (!engine || !video) return;
    const stop = new AbortController();
    const look = async () => {
      while (!stop.signal.aborted) {
        await new Promise(requestAnimationFrame);
        const taught = engine.classes.filter(({ examples }) => examples.length > 0);
        if (taught.length < 2 || video.videoWidth === 0) continue;
        setAnswer(await engine.classify(video, { signal: stop.signal }));
      }
    };
    look().catch((error: Error) => {
      if (!stop.signal.aborted) console.error(error.message);
    });
    return () => {
      stop.abort();
      setAnswer(null);
    };
  }, [engine, video]);
  return answer;
}
