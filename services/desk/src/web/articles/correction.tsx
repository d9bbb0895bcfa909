import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import type { Html } from '@knowledge/runtime/html';
import type { ContributionView } from '../../present/contribution.js';

/** The words of a proposed correction, above the form that brings them in. */
export function correctionNotice({ id, body, agent_name }: ContributionView): Html {
  return (
    <section class="correction" aria-labelledby="correction-title">
      <h2 id="correction-title">The proposed correction</h2>
      <p class="small">
        From the agent <bdi>{agent_name}</bdi>. <a href={`/queue/${id}`}>Answer the inquiry</a> when the draft is ready.
      </p>
      <blockquote dir="auto">{withoutHiddenCharacters(body)}</blockquote>
    </section>
  );
}
