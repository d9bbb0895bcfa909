import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import type { CannedReason } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { Html } from '@knowledge/runtime/html';
import { bounds, communityTexts, rules } from '@knowledge/runtime/product';
import type { FastifyInstance } from 'fastify';
import { titleOf } from '../base/contribution-words.js';
import { readAtRevision } from '../base/ids.js';
import { count } from '../base/text.js';
import { age } from '../base/time.js';
import type { ContributionView } from '../contributions/contribution.js';
import { commonWords, type GroupView, groupLimits, mailDomainOf, readGroup } from '../contributions/records.js';
import {
  areaField,
  checkField,
  csrfField,
  formCallOf,
  formField,
  inWords,
  linkLine,
  longer,
  noEnter,
  onlyFor,
  type Shown,
  sendPage,
  strange,
  tableOf,
} from '../pages/index.js';
import { itemPath, type QueueFilter, type QueueServices, readFilter, writeFilter } from './web-read-queue.js';

/** A thousand times an id with its revision. */
const mostCharacters = 60_000;
/** How many of those that stay the next page names. */
const mostLeft = 20;

/** Registers the page of a group of waiting texts, its one decision, and the undo of that. */
export function registerGroups(app: FastifyInstance, { moderation, reasonList }: QueueServices): void {
  const moderators = onlyFor('moderator');

  app.get('/queue/groups', moderators, async (request, reply) => {
    const key = formField(request.query, 'key', 300);
    const own = longer({}, groupLimits);
    const [texts, { reasons }] = await Promise.all([
      readGroup(moderation(request), key, own),
      reasonList(request).listReasons({}, own),
    ]);
    return sendPage(reply, groupPage(key, texts, reasons));
  });

  app.post('/queue/groups', moderators, async (request, reply) => {
    const { body } = request;
    const seen = formField(body, 'texts', mostCharacters).split(' ').map(readAtRevision);
    // What is left out names its agent, whose end would withdraw it.
    const keptBy = ({ id }: { readonly id: string }) => formField(body, `keep-${id}`);
    const decision = {
      contributions: seen.filter((each) => keptBy(each) === ''),
      reason: formField(body, 'canned', bounds.reason.max) || formField(body, 'reason', bounds.reason.max).trim(),
      endAgents: formField(body, 'end') === 'yes',
      keptAuthorizationIds: seen.map(keptBy).filter((id) => id !== ''),
    };
    const { left } = await moderation(request)
      .rejectGroup(decision, longer(formCallOf(request), groupLimits))
      .catch(inWords({ reason: 'The reason', contributions: 'The texts' }));
    const stay = left.slice(0, mostLeft).map(({ id }) => id);
    return reply.redirect(stay.length === 0 ? '/queue' : `/queue?left=${stay.join('.')}`, 303);
  });

  app.post('/queue/groups/undo', moderators, async (request, reply) => {
    const all = { id: '', expectedRevision: 0, groupId: formField(request.body, 'group') };
    const { undone = 0 } = await moderation(request).undoDecision(all, longer(formCallOf(request), groupLimits));
    return reply.redirect(`/queue?undone=${undone}`, 303);
  });
}

const noFilter = readFilter({});

/**
 * All texts of a group as they are now, and one form that rejects them. It names each with its revision; nothing approves
 * a group.
 */
function groupPage(key: string, texts: readonly ContributionView[], reasons: readonly CannedReason[]): Shown {
  const humans = new Set(texts.map(({ email }) => email)).size;
  const title = `${count(texts.length, 'waiting text')} of ${count(humans, 'human')} ${commonWords(key, texts.length)}`;
  const canned = reasons.filter(({ decisions }) => decisions.includes(Decision.REJECT));
  const main = (
    <>
      <h1>{strange(title)}</h1>
      {linkLine('/queue', 'Back to the queue')}
      {texts.length > 0 && (
        <form method="post" action={groupPath(key)}>
          {csrfField({ texts: texts.map(({ id_at_revision }) => id_at_revision).join(' ') })}
          {noEnter}
          {rejectAll(canned, mailDomainOf(key))}
          {tableOf(
            title,
            texts,
            {
              'Leave out': (each) => (
                <input
                  type="checkbox"
                  name={`keep-${each.id}`}
                  value={each.authorization_id}
                  aria-label={`Leave out: ${titleOf(each)}`}
                />
              ),
              Risk: 'risk',
              'Text, those with the least risk first': (each) => (
                <>
                  <a href={itemPath(each.id, noFilter)}>{strange(titleOf(each))}</a>
                  <span class="small"> {each.title !== null && strange(each.body.slice(0, 160))}</span>
                </>
              ),
              Human: 'email',
              Agent: 'agent_name',
              Sent: ({ submitted_at }) => age(submitted_at),
            },
            '',
            'Risk',
          )}
        </form>
      )}
    </>
  );
  return { title, main };
}

function rejectAll(canned: readonly CannedReason[], domain: string | undefined) {
  return (
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
          Rejects the {communityTexts} and closes the inquiries, as they are here: what came or changed since stays.
          Each human gets one mail. It takes effect in {rules.undoSeconds} seconds; until then one undo gives all back.
        </p>
        <button class="main">Reject all but the ticked</button>
      </details>
      {domain !== undefined && (
        <a href={`/people/domains?edit=${encodeURIComponent(domain)}#rule`}>A rule for mailboxes of {domain}</a>
      )}
    </section>
  );
}

/** How many groups stand above the list. */
const mostShown = 6;

function groupPath(key: string) {
  return `/queue/groups?${new URLSearchParams({ key })}`;
}

/** What waiting texts have in common, above the list; nothing without any. `more` counts those that the service left out. */
export function groupList(groups: readonly GroupView[], more: number, filter: QueueFilter): Html | undefined {
  // The address of a page has no address of a person. An agent alone is shown when no wave hides it.
  const waves = groups.filter(({ key }) => !/^(?:human|agent):/.test(key));
  const shown = waves.length > 0 ? waves : groups.filter(({ key }) => key.startsWith('agent:'));
  if (shown.length === 0) return undefined;
  const hidden = shown.slice(mostShown);
  return (
    <details class="groups" open>
      <summary>In common</summary>
      {links(shown.slice(0, mostShown))}
      {hidden.length > 0 && (
        <details>
          <summary>{count(hidden.length, 'more group')}</summary>
          {links(hidden)}
          {more > 0 && <p class="small">{more} smaller ones show when these are decided.</p>}
        </details>
      )}
      {filter.group !== 'none' && (
        <a href={`/queue${writeFilter(filter, { group: 'none', page: '' })}`}>Show only what is in no group</a>
      )}
    </details>
  );
}

function links(groups: readonly GroupView[]) {
  return (
    <ul>
      {groups.map(({ key, contributions, humans }) => (
        <li>
          <a href={groupPath(key)} hx-boost="false">
            {count(contributions, 'text')} of {count(humans, 'human')} {strange(commonWords(key, contributions))}
          </a>
        </li>
      ))}
    </ul>
  );
}
