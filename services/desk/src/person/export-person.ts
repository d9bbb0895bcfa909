import type { PersonServices } from './person-services.js';

export type PersonExport = Awaited<ReturnType<typeof exportPerson>>;

/** Everything that both services store about a person. Each of them stores who exported it, and why. */
export async function exportPerson({ grants, moderation, call }: PersonServices, email: string, reason: string) {
  const [identity, contributions] = await Promise.all([
    grants.exportPerson({ email, reason }, call()),
    moderation.exportContributor({ email, reason }, call()),
  ]);
  return {
    id: email,
    state: 'exported',
    exported_at: new Date().toISOString(),
    identity: (identity.data ?? {}) as Record<string, unknown>,
    contributions: (contributions.data ?? {}) as Record<string, unknown>,
  };
}
