import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { dayElement } from '../parts/dates.js';
import type { Html } from '../parts/html.js';
import { blockForm } from './block-form.js';
import { note } from './sent-notes.js';
import { declinedWords } from './withdrawn-words.js';

type Refusing = Pick<GetAccessResponse, 'requestsRefused' | 'requestsRefusedUntil'>;

/** Shows whether agents may send requests to this human, with a button that changes it. */
export function blockPart({ key, ...refusing }: Refusing & { readonly key: string }): Html {
  return (
    <>
      <h2>Requests from agents</h2>
      {refusing.requestsRefused ? offPart(key, refusing) : blockForm({ key })}
    </>
  );
}

function offPart(key: string, refusing: Refusing): Html {
  return (
    <>
      <p>
        Requests from agents to this address are turned off{untilOf(refusing)}. Agents that can act for you may still
        ask you to renew their access.
      </p>
      <form method="post" action={`access/block?key=${encodeURIComponent(key)}`}>
        <p>
          <button name="days" value="none">
            Turn requests on again
          </button>
        </p>
      </form>
    </>
  );
}

/** Confirms what the button has just done; undefined if it was undone since. */
export function blockedNote(
  { off, declined }: { readonly off: boolean; readonly declined: number },
  refusing: Refusing,
): Html | undefined {
  if (off !== refusing.requestsRefused) return undefined;
  if (!off)
    return note(
      <>
        <strong>✓ Saved.</strong> Agents can ask this address again.
      </>,
    );
  return note(
    <>
      <strong>✓ Saved.</strong> Requests from agents are turned off{untilOf(refusing)}. {declinedWords(declined)}
    </>,
  );
}

function untilOf({ requestsRefusedUntil: until }: Refusing): Html {
  return until === undefined ? <> until you turn them on again</> : <> until {dayElement(until)}</>;
}
