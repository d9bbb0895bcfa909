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
