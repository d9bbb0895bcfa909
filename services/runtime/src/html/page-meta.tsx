import { createHash } from 'node:crypto';
import type { Html } from './html.js';

/** What every head begins with: encoding, width, and the colours of light and dark. */
export const pageMeta: Html = (
  <>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#fcfbf8" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#171714" media="(prefers-color-scheme: dark)" />
  </>
);

/** A static file with a hash of its content in its path, so that browsers may keep it for ever. */
export function hashedAsset(name: string, extension: string, type: string, text: string) {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${name}-${hash}.${extension}`, type, body };
}

/** The mark of the service, as SVG. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5c47"/><path d="M8 9h16M8 16h16M8 23h9" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
