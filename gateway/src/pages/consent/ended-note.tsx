import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Html } from '../parts/html.js';
import { note } from './sent-notes.js';
import { declinedWords, withdrawnWords } from './withdrawn-words.js';

/** What the human has just ended, for the note on the access page. */
export interface EndedAccess {
  /** The id of what ended; empty for everything. */
  readonly id: string;
  /** The number of accesses that ended; a mail confirms each. */
  readonly stopped: number;
  /** The number of requests that were declined. */
  readonly declined: number;
  readonly withdrawn: number | undefined;
}

/** The note after pressing the button. It may have ended accesses, declined requests, both, or neither. */
export function endedNote({ id, stopped, declined, withdrawn }: EndedAccess, access: GetAccessResponse): Html {
  const rest = (
    <>
      {declinedWords(declined)}
      {withdrawnWords(withdrawn)}
      {stopped > 0 && 'We confirm it by mail.'}
    </>
  );
  if (id === '')
    return note(
      <>
        <strong>✓ Stopped.</strong> No agent can act for you any more. {rest}
      </>,
    );
  const name = nameOf(id, access);
  if (stopped === 0 && declined > 0) {
    return note(
      <>
        <strong>✓ Declined.</strong> {name} gets no access from this request.
      </>,
    );
  }
  return note(
    <>
      <strong>✓ Stopped.</strong> {name} can no longer act for you. {rest}
    </>,
  );
}

function nameOf(id: string, { tokens, authorizations }: GetAccessResponse): Html {
  const known = [...tokens, ...authorizations].find((each) => each.id === id);
  return known === undefined ? (
    <>The agent</>
  ) : (
    <strong>
      “<bdi>{known.agentName}</bdi>”
    </strong>
  );
}
