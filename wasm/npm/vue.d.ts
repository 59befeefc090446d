/**
 * `<deep-emd>` in Vue's templates: `import "deepemd/vue"` defines the element and its types. Bind events with `@ready`,
 * `@prediction` and so on. Vue's compiler needs the option `isCustomElement: (tag) => tag.startsWith("deep-emd")`.
 *
 * @packageDocumentation
 */

import type { HTMLAttributes, PublicProps } from "vue";
import type { DeepEMDElement, DeepEMDElementEvents, DeepEMDElementSettings } from "./element.js";

export * from "./element.js";

type Handlers = { [K in keyof DeepEMDElementEvents as `on${Capitalize<K>}`]?: (event: DeepEMDElementEvents[K]) => void };

/** The attributes of <deep-emd>: settings, and listeners such as @prediction. */
export type DeepEMDProps = Omit<HTMLAttributes, keyof Handlers> & PublicProps & Partial<DeepEMDElementSettings> & Handlers;

declare module "vue" {
  interface GlobalComponents {
    "deep-emd": new () => DeepEMDElement & { $props: DeepEMDProps };
    "deep-emd-class": new () => HTMLElement & { $props: HTMLAttributes & PublicProps & { name: string } };
  }
}
