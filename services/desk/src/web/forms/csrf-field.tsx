import type { Html } from '@knowledge/runtime/html';

/** The field that every form must send. */
export function csrfField(csrf: string): Html {
  return <input type="hidden" name="_csrf" value={csrf} />;
}
