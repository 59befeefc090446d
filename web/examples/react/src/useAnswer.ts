import type { Answer, DeepEMD } from "deepemd";
import { useEffect, useState } from "react";

/** The answer for a video, frame after frame; null if there is none yet. */
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
        try {
          setAnswer(await engine.classify(video, { signal: stop.signal }));
        } catch (error) {
          if (stop.signal.aborted) return;
          console.error((error as Error).message);
          await new Promise((resolve) => setTimeout(resolve, 500)); // the engine probably restarts
        }
      }
    };
    void look();
    return () => {
      stop.abort();
      setAnswer(null);
    };
  }, [engine, video]);
  return answer;
}
