import { type Subject, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { presentQuota, type QuotaView } from '../present/quota.js';
import type { PersonServices } from './person-services.js';

const kinds: Readonly<Record<string, SubjectKind>> = {
  client: SubjectKind.CLIENT_ID,
  email: SubjectKind.EMAIL,
  address: SubjectKind.ADDRESS,
};

/** Reads `client:ID`, `email:ADDRESS` or `address:IP`; undefined if the name is none of them. */
export function readSubject(name: string): Subject | undefined {
  const at = name.indexOf(':');
  const kind = at < 1 ? undefined : kinds[name.slice(0, at)];
  const value = name.slice(at + 1);
  return kind === undefined || value === '' ? undefined : { kind, value };
}

type QuotaCalls = Pick<PersonServices, 'quota' | 'call'>;

/** What a reader or writer has left today. @throws TypeError for a name that `readSubject` does not know */
export async function readQuota({ quota, call }: QuotaCalls, name: string, reason: string): Promise<QuotaView> {
  const { allowances } = await quota.showSubject({ subject: requireSubject(name), reason }, call());
  return presentQuota(name, allowances);
}

/** Gives a subject all its allowances back. @throws TypeError for a name that `readSubject` does not know */
export async function resetQuota({ quota, call }: QuotaCalls, name: string, reason: string): Promise<QuotaView> {
  const { allowances } = await quota.resetSubject({ subject: requireSubject(name), reason }, call());
  return presentQuota(name, allowances);
}

function requireSubject(name: string): Subject {
  const subject = readSubject(name);
  if (subject === undefined) throw new TypeError(`${name} is no subject.`);
  return subject;
}
