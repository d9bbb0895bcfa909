import { KnowledgeError } from '@knowledge/runtime';

/** Returns a parameter without spaces around it; empty if it was not sent. Spaces alone are refused as an empty value is. */
export function notBlank(name: string, value: string | undefined): string {
  const text = value?.trim();
  if (text === '') throw new KnowledgeError('validation_error', `${name}: must not be empty.`);
  return text ?? '';
}
