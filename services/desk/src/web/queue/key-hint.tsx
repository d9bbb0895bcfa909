import type { Html } from '@knowledge/runtime/html';

/** The key that does the same, for people who see it. Screen readers hear it from `aria-keyshortcuts`. */
export function keyHint(key: string): Html {
  return (
    <span class="key" aria-hidden="true">
      {key}
    </span>
  );
}
