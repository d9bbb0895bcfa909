import { deadlineIn, readPieces } from '@knowledge/runtime/client';
import type { PersonServices } from './person-services.js';

/** The time for all data of one person, in milliseconds. */
const exportMs = 120_000;

export type PersonExport = Awaited<ReturnType<typeof exportPerson>>;

/** Everything that both services store about a person. Each of them stores who exported it, and why. */
export async function exportPerson({ grants, moderation, call }: PersonServices, email: string, reason: string) {
  const options = () => ({ ...call(), deadline: deadlineIn(exportMs) });
  const [identity, contributions] = await Promise.all([
    readPieces(grants.streamPersonExport({ email, reason }, options())),
    readPieces(moderation.streamContributorExport({ email, reason }, options())),
  ]);
  return {
    id: email,
    state: 'exported',
    exported_at: new Date().toISOString(),
    identity,
    contributions,
  };
}
