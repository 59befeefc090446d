/**
 * `<deep-emd>` in Svelte's components: `import "deepemd/svelte"` defines the element and its types. Bind events as `onready`,
 * `onprediction` and so on.
 *
 * @packageDocumentation
 */

import type { HTMLAttributes } from "svelte/elements";
import type { DeepEMDElement, DeepEMDElementEvents, DeepEMDElementSettings } from "./element.js";

export * from "./element.js";

type Handlers = { [K in keyof DeepEMDElementEvents as `on${K}`]?: ((event: DeepEMDElementEvents[K]) => void) | null | undefined };

/** The attributes of <deep-emd>: settings, events such as onprediction, and the attributes of every element. */
export type DeepEMDProps = Omit<HTMLAttributes<DeepEMDElement>, keyof Handlers> & Partial<DeepEMDElementSettings> & Handlers;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "deep-emd": DeepEMDProps;
    "deep-emd-class": HTMLAttributes<HTMLElement> & { name: string };
  }
}
