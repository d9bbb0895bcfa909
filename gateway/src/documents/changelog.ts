import type { Static } from 'typebox';
import { changelog } from '../protocol/changelog.js';
import type { ChangelogSchema } from '../protocol/document-schemas.js';
import { protocolVersion } from '../protocol/version.js';

/** The changelog as its operation returns it (gateway/PROTOCOL.md#changelog). */
export function changelogDocument(): Static<typeof ChangelogSchema> {
  return { ok: true, api_version: protocolVersion, entries: [...changelog] };
}
