/**
 * <deep-emd> in JSX, for React 19: `import "deepemd/react"` defines the element and its types.
 */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { DeepEMDElement, DeepEMDElementEvents, DeepEMDElementSettings } from "./element.js";

export * from "./element.js";

/** What <deep-emd> takes: settings as properties, events as onready, onprediction and so on, and what every element takes. */
export type DeepEMDProps = DetailedHTMLProps<HTMLAttributes<DeepEMDElement>, DeepEMDElement> & {
  [K in keyof DeepEMDElementSettings]?: DeepEMDElementSettings[K] | undefined;
} & {
  [K in keyof DeepEMDElementEvents as `on${K}`]?: ((event: DeepEMDElementEvents[K]) => void) | undefined;
};

/** What <deep-emd-class> takes: the name of the class. */
export type DeepEMDClassProps = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & { name: string };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "deep-emd": DeepEMDProps;
      "deep-emd-class": DeepEMDClassProps;
    }
  }
}
