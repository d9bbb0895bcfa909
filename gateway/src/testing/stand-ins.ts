import type { RequestWatch } from '@knowledge/runtime/telemetry';
import { createSites, type Sites } from '../upstream/sites.js';

/** Two sites with hosts of their own. */
export const sites: Sites = createSites({
  PUBLIC_URL_IO: 'https://io.example',
  PUBLIC_URL_ORG: 'https://org.example',
  DEFAULT_SITE: 'org',
});

/** Watches requests without a record. */
export const watch: RequestWatch = {
  begin: () => ({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, traceId: 'a'.repeat(32) }),
  end: () => undefined,
  shed: () => undefined,
};
