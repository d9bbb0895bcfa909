import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import type { CannedReason } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { bounds, rules } from '@knowledge/runtime/product';
import type { ContributionView } from '../../present/contribution.js';
import { titleOf } from '../../present/first-words.js';
import { commonWords, mailDomainOf } from '../../present/group-words.js';
import { count } from '../../print/count.js';
import { age } from '../../print/time.js';
import { noEnter } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, checkField } from '../forms/fields.js';
import type { Shown } from '../layout/send-page.js';
import { tableOf } from '../layout/tables.js';
import { strange } from '../layout/values.js';
import { readFilter } from './filter.js';
import { groupPath } from './group-list.js';
import { itemPath } from './list.js';

const noFilter = readFilter({});

/** What the page of a group shows. */
interface GroupPage {
  readonly key: string;
  /** As they are now; the form names each with its revision. */
  readonly texts: readonly ContributionView[];
  readonly reasons: readonly CannedReason[];
  readonly csrf: string;
}

/** All texts of a group with their first words, and one form that rejects them. Nothing approves a group. */
export function groupPage({ key, texts, reasons, csrf }: GroupPage): Shown {
  const humans = new Set(texts.map(({ email }) => email)).size;
  const title = `${count(texts.length, 'waiting text')} of ${count(humans, 'human')} ${commonWords(key)}`;
  const domain = mailDomainOf(key);
  const canned = reasons.filter(({ decisions }) => decisions.includes(Decision.REJECT));
  const main = (
    <>
      <h1>{strange(title)}</h1>
      <p>
        <a href="/queue">Back to the queue</a>
      </p>
      {texts.length > 0 && (
        <form method="post" action={groupPath(key)}>
          {csrfField(csrf)}
          {noEnter}
          <input type="hidden" name="texts" value={texts.map(({ id_at_revision }) => id_at_revision).join(' ')} />
          <section class="decisions" aria-label="Decide">
            <details class="with-text">
              <summary>Reject all but the ticked…</summary>
              {checkField({
                name: 'end',
                label:
                  'End the access of their agents too, but of none whose text is left out. What else they sent and still waits is withdrawn',
              })}
              {canned.length > 0 && (
                <div class="canned">
                  {canned.map(({ words }) => (
                    <button name="canned" value={words}>
                      Reject all but the ticked: {words}
                    </button>
                  ))}
                </div>
              )}
              {areaField({
                name: 'reason',
                label: 'Why, in your words? Each human gets them',
                maxlength: bounds.reason.max,
                rows: 2,
              })}
              <p class="small">
                Rejects the stories and replies and closes the inquiries, as they are here: what came or changed since
                stays. Each human gets one mail. It takes effect in {rules.undoSeconds} seconds; until then one undo
                gives all back.
              </p>
              <button class="main">Reject all but the ticked</button>
            </details>
            {domain !== undefined && (
              <a href={`/people/domains?edit=${encodeURIComponent(domain)}#rule`}>A rule for mailboxes of {domain}</a>
            )}
          </section>
          {tableOf(
            title,
            texts,
            [
              {
                header: 'Leave out',
                cell: (each) => (
                  <input
                    type="checkbox"
                    name={`keep-${each.id}`}
                    value={each.authorization_id}
                    aria-label={`Leave out: ${titleOf(each)}`}
                  />
                ),
              },
              { header: 'Risk', cell: ({ risk }) => risk, isNumber: true },
              {
                header: 'Text, those with the least risk first',
                cell: (each) => (
                  <>
                    <a href={itemPath(each.id, noFilter)}>{strange(titleOf(each))}</a>
                    <span class="small"> {each.title !== null && strange(each.body.slice(0, 160))}</span>
                  </>
                ),
              },
              { header: 'Human', cell: ({ email }) => strange(email) },
              { header: 'Agent', cell: ({ agent_name }) => strange(agent_name) },
              { header: 'Sent', cell: ({ submitted_at }) => age(submitted_at) },
            ],
            '',
          )}
        </form>
      )}
    </>
  );
  return { title, main };
}
