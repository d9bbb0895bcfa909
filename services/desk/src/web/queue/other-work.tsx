import type { Html } from '@knowledge/runtime/html';
import { type ContributionView, typeOf } from '../../present/contribution.js';
import { titleOf } from '../../present/contribution-words.js';
import { strange, words } from '../layout/values.js';
import type { QueueFilter } from './filter.js';
import { itemPath } from './list.js';

/** Contributions with nearly the same text; nothing without any. */
export function similarTexts({ similar }: ContributionView, filter: QueueFilter): Html | undefined {
  if (similar.length === 0) return undefined;
  return (
    <section aria-labelledby="similar-title">
      <h3 id="similar-title">Nearly the same text</h3>
      <ul class="history">
        {similar.map(({ id, title, beginning, state, percent, same_human }) => (
          <li>
            {percent} %: {link(id, titleOf({ title, body: beginning }), filter)}
            <span class="small">
              {' '}
              {words(state)}, {same_human ? 'the same human' : 'another human'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What else this human and this agent sent, and how it was decided; nothing without any. */
export function otherWork({ of_human, of_agent }: ContributionView, filter: QueueFilter): Html | undefined {
  const isSame = JSON.stringify(of_human) === JSON.stringify(of_agent);
  const parts = isSame
    ? [['This human, all with this agent', of_human] as const]
    : ([
        ['This human', of_human],
        ['This agent', of_agent],
      ] as const);
  const shown = parts.flatMap(([whose, work]) =>
    work === null || work.newest.length === 0 ? [] : [{ whose, counts: work.counts, newest: work.newest }],
  );
  if (shown.length === 0) return undefined;
  return (
    <section aria-labelledby="work-title">
      <h3 id="work-title">Earlier work</h3>
      {shown.map(({ whose, counts, newest }) => (
        <>
          <h4>
            {whose}: {counts.map(({ state, count }) => `${count} ${words(state)}`).join(', ')}
          </h4>
          <ul class="history">
            {newest.map((each) => (
              <li>
                {link(each.id, titleOf({ title: each.title, body: each.beginning }), filter)}
                <span class="small">
                  {' '}
                  {words(typeOf(each))}, {words(each.state)}
                </span>
                {each.reason !== null && <q>{strange(each.reason)}</q>}
              </li>
            ))}
          </ul>
        </>
      ))}
    </section>
  );
}

function link(id: string, title: string, filter: QueueFilter): Html {
  return <a href={itemPath(id, filter)}>{strange(title)}</a>;
}
