import { Teach } from "./Teach";
import { useAnswer } from "./useAnswer";
import { useCamera } from "./useCamera";
import { useEngine } from "./useEngine";

const LABELS = ["cup", "pen", "hand"];

/** The camera, a button for each class, and the answer. */
export function App() {
  const { engine, progress, error } = useEngine();
  const camera = useCamera();
  const answer = useAnswer(engine, camera.video);

  const share = (label: string) => answer?.scores.find((score) => score.label === label)?.score ?? 0;
  return (
    <main>
      <h1>A classifier in React</h1>
      <p>Hold each button while the camera sees that thing. Nothing is uploaded.</p>
      <video ref={camera.ref} muted playsInline />
      {engine ? (
        <ul>
          {LABELS.map((label) => (
            <Teach key={label} engine={engine} video={camera.video} label={label} share={share(label)} />
          ))}
        </ul>
      ) : (
        <progress max={progress?.total || 1} value={progress?.loaded ?? 0} />
      )}
      <p className="seen" role="status">
        {error?.message ?? camera.error?.message}
        {answer && (answer.unknown?.unknown ? "something else" : answer.scores[0]?.label)}
      </p>
    </main>
  );
}
