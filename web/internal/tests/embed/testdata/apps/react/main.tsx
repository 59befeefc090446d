import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import type { DeepEMDElement } from "deepemd/react";
import "deepemd/react";
// @ts-expect-error: it has no types
import { checkElement } from "./element-check.js";

Object.assign(window, { checkElement });

function App() {
  const [labels, setLabels] = useState(["red", "green"]);
  const [shown, setShown] = useState(true);
  const [strictness, setStrictness] = useState(0.1);
  const [project, setProject] = useState<Promise<Blob>>();
  const [ready, setReady] = useState(0);
  const [taught, setTaught] = useState(0);
  const [errors, setErrors] = useState(0);
  const [seen, setSeen] = useState("");
  const element = useRef<DeepEMDElement>(null);
  useEffect(() => {
    // As careful components do; StrictMode mounts them twice.
    const now = element.current;
    void now?.start();
    return () => now?.stop();
  }, [shown]);
  return (
    <>
      {shown && (
        <deep-emd
          ref={element}
          className="mine"
          camera
          classes={labels}
          strictness={strictness}
          project={project}
          options={{ timeout: 50000 }}
          onready={() => setReady((n) => n + 1)}
          onprediction={({ detail }) => setSeen(detail.scores[0]?.label ?? "")}
          onchange={({ detail }) => detail.action === "teach" && setTaught((n) => n + 1)}
          onerror={({ detail }) => {
            console.error(detail.code, detail.message);
            setErrors((n) => n + 1);
          }}
          onsave={({ detail }) => setProject(detail.save())}
        >
          <b>The camera is off.</b>
          {labels.map((label) => (
            <deep-emd-class key={label} name={label} />
          ))}
        </deep-emd>
      )}
      <button id="add" onClick={() => setLabels([...labels, "blue, sky"])}>Add</button>
      <button id="strict" onClick={() => setStrictness(0.25)}>Strict</button>
      <button id="toggle" onClick={() => setShown(!shown)}>Toggle</button>
      <p id="ready">{ready}</p>
      <p id="taught">{taught}</p>
      <p id="errors">{errors}</p>
      <p id="seen">{seen}</p>
    </>
  );
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

/** What the types refuse. */
export const refused = [
  // @ts-expect-error: no such camera
  <deep-emd camera="back" />,
  // @ts-expect-error: a number
  <deep-emd strictness={[1]} />,
  // @ts-expect-error: the detail of a prediction is an answer
  <deep-emd onprediction={({ detail }) => detail.label} />,
  // @ts-expect-error: a class has a name
  <deep-emd-class />,
];
