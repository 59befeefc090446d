import type { GlobalComponents } from "vue";
import "deepemd/vue";

type Props = InstanceType<GlobalComponents["deep-emd"]>["$props"];

export const taken: Props = { camera: "user", classes: ["a"], strictness: 0.5, onPrediction: ({ detail }) => console.log(detail.scores), onClick: () => {} };

export const refused: Props[] = [
  // @ts-expect-error: no such camera
  { camera: "back" },
  // @ts-expect-error: the detail of a prediction is an answer
  { onPrediction: ({ detail }) => detail.label },
];
