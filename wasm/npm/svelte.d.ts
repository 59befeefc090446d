/**
 * <deep-emd> in Svelte's components: `import "deepemd/svelte"` defines the element and its types.
 */

import type { HTMLAttributes } from "svelte/elements";
import type { DeepEMDElement, DeepEMDElementEvents, DeepEMDElementSettings } from "./element.js";

export * from "./element.js";

type Handlers = { [K in keyof DeepEMDElementEvents as `on${K}`]?: ((event: DeepEMDElementEvents[K]) => void) | null | undefined };

/** What <deep-emd> takes: settings, events as onready, onprediction and so on, and what every element takes. */
export type DeepEMDProps = Omit<HTMLAttributes<DeepEMDElement>, keyof Handlers> & Partial<DeepEMDElementSettings> & Handlers;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "deep-emd": DeepEMDProps;
    "deep-emd-class": HTMLAttributes<HTMLElement> & { name: string };
  }
}
