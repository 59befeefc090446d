import { useState, useSyncExternalStore } from "react";
import "deepemd/react";

const never = () => () => {};

/** What server and browser render: the element in a browser only, as the manual says. */
export function App() {
  const [seen, setSeen] = useState("");
  const [ready, setReady] = useState(0);
  const inPage = useSyncExternalStore(never, () => true, () => false);
  return (
    <>
      {inPage && (
        <deep-emd
          classes={["red", "blue, sky"]}
          strictness={0.1}
          method={{ classifier: "nearest" }}
          onready={() => setReady((n) => n + 1)}
          onprediction={({ detail }) => setSeen(detail.scores[0].label)}
        >
          <deep-emd-class name="green" />
        </deep-emd>
      )}
      <p id="ready">{ready}</p>
      <p id="seen">{seen}</p>
    </>
  );
}
