/**
 * `<deep-emd>` in JSX, for React 19: `import "deepemd/react"` defines the element and its types. Bind events in lower case: `onready`,
 * `onprediction` and so on.
 *
 * ```tsx
 * import { useState } from "react";
 * import "deepemd/react";
 *
 * export function Page({ labels, open }: { labels: string[]; open: boolean }) {
 *   const [project, setProject] = useState<Promise<Blob>>(); // keeps the classes while the element is closed
 *   const [seen, setSeen] = useState("");
 *   return (
 *     <>
 *       {open && (
 *         <deep-emd camera classes={labels} project={project}
 *           onprediction={({ detail }) => setSeen(detail.scores[0]?.label ?? "")}
 *           onsave={({ detail }) => setProject(detail.save())} />
 *       )}
 *       <p>{seen}</p>
 *     </>
 *   );
 * }
 * ```
 *
 * On a server, React passes neither objects nor events to a custom element
 * ([react#35446](https://github.com/facebook/react/issues/35446)). Render the element only in the browser:
 * `useSyncExternalStore(never, () => true, () => false) && <deep-emd … />`, with `const never = () => () => {}`.
 *
 * @packageDocumentation
 */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { DeepEMDElement, DeepEMDElementEvents, DeepEMDElementSettings } from "./element.js";

export * from "./element.js";

/** The attributes of <deep-emd>: settings, events such as onprediction, and the attributes of every element. */
export type DeepEMDProps = DetailedHTMLProps<HTMLAttributes<DeepEMDElement>, DeepEMDElement> & {
  [K in keyof DeepEMDElementSettings]?: DeepEMDElementSettings[K] | undefined;
} & {
  [K in keyof DeepEMDElementEvents as `on${K}`]?: ((event: DeepEMDElementEvents[K]) => void) | undefined;
};

/** The attributes of <deep-emd-class>: the name of the class. */
export type DeepEMDClassProps = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & { name: string };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "deep-emd": DeepEMDProps;
      "deep-emd-class": DeepEMDClassProps;
    }
  }
}
