import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Finds the page that belongs to an address that takes only forms. Browsers restore a tab without its form. Call it before
 * any route is registered.
 */
export function pagesOfForms(app: FastifyInstance): (request: FastifyRequest) => string | undefined {
  const known: Record<string, RegExp[]> = { GET: [], POST: [] };
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`);
    for (const each of [method].flat()) known[each]?.push(pattern);
  });
  const isKnown = (method: string, path: string) => known[method]?.some((each) => each.test(path)) === true;
  return ({ method, url }) => {
    const [path = '', query] = url.split(/(?=\?)/);
    if (method !== 'GET' || !isKnown('POST', path)) return undefined;
    let page = path;
    do page = page.slice(0, page.lastIndexOf('/')) || '/';
    while (page !== '/' && !isKnown('GET', page));
    return `${page}${query ?? ''}`;
  };
}
