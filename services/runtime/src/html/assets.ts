import { createHash } from 'node:crypto';

/** A static file with a hash of its content in its path, so that browsers may keep it for ever. */
export function hashedAsset(name: string, extension: string, type: string, text: string) {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${name}-${hash}.${extension}`, type, body };
}

/** The mark of the service, as SVG. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5c47"/><path d="M8 9h16M8 16h16M8 23h9" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
