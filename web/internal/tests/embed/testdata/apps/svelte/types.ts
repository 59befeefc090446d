import type { SvelteHTMLElements } from "svelte/elements";
import "deepemd/svelte";

type Props = SvelteHTMLElements["deep-emd"];

export const taken: Props = { camera: "user", classes: ["a"], strictness: 0.5, onprediction: ({ detail }) => console.log(detail.scores), onclick: () => {} };

export const refused: Props[] = [
  // @ts-expect-error: no such camera
  { camera: "back" },
  // @ts-expect-error: the detail of a prediction is an answer
  { onprediction: ({ detail }) => detail.label },
];
