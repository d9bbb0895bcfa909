import { type Subject, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { InvalidArgumentError } from 'commander';

/** A subject, with the name that the user typed. */
export interface NamedSubject extends Subject {
  /** The typed name: `client:ID`, `email:ADDRESS` or `address:IP`. */
  readonly name: string;
}

const kinds: Readonly<Record<string, SubjectKind>> = {
  client: SubjectKind.CLIENT_ID,
  email: SubjectKind.EMAIL,
  address: SubjectKind.ADDRESS,
};

export function parseSubject(name: string): NamedSubject {
  const at = name.indexOf(':');
  const kind = at < 1 ? undefined : kinds[name.slice(0, at)];
  const value = name.slice(at + 1);
  if (kind === undefined || value === '') {
    throw new InvalidArgumentError('Give it as client:ID, email:ADDRESS or address:IP.');
  }
  return { kind, value, name };
}
