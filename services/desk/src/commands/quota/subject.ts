import { InvalidArgumentError } from 'commander';
import { readSubject } from '../../person/read-quota.js';

/** Checks a subject on the command line: `client:ID`, `email:ADDRESS` or `address:IP`. */
export function parseSubject(name: string): string {
  if (readSubject(name) === undefined) {
    throw new InvalidArgumentError('Give it as client:ID, email:ADDRESS or address:IP.');
  }
  return name;
}
