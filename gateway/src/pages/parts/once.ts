import { type Html, inOnePiece } from '@knowledge/runtime/html';
import type { SiteName, Sites } from '../../upstream/sites.js';

/** Renders a constant part of pages once per site, and once per `variant` if it has several. */
export function renderedOnce<Variant = void>(
  render: (site: SiteName, sites: Sites, variant: Variant) => Html,
): typeof render {
  const rendered = new WeakMap<Sites, Map<string, Html>>();
  return (site, sites, variant) => {
    const known = rendered.get(sites) ?? new Map<string, Html>();
    rendered.set(sites, known);
    const key = `${site} ${variant}`;
    const markup = known.get(key) ?? inOnePiece(render(site, sites, variant));
    known.set(key, markup);
    return markup;
  };
}
