import { useEffect, useRef, useState, type RefObject } from "react";

/** The camera in a video element: `video` is the element once it plays. */
export interface Camera {
  ref: RefObject<HTMLVideoElement | null>;
  video: HTMLVideoElement | null;
  error: Error | null;
}

/** Opens the camera when the component mounts, and closes it when it unmounts. */
export function useCamera(): Camera {
  const ref = useRef<HTMLVideoElement>(null);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    let gone = false;
    let stream: MediaStream | undefined;
    const close = () => stream?.getTracks().forEach((track) => track.stop());
    const open = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } });
      const element = ref.current;
      if (gone || !element) return close();
      element.srcObject = stream;
      await element.play();
      if (!gone) setVideo(element);
    };
    open().catch((problem: Error) => {
      if (!gone) setError(problem);
    });
    return () => {
      gone = true;
      close();
      setVideo(null);
    };
  }, []);
  return { ref, video, error };
}
