import type { CannedReason } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { type RenderMarkdown, titleDirection } from '@knowledge/runtime/markdown';
import { capitalised } from '@knowledge/runtime/product';
import { titleOf, typeOf } from '../base/contribution-words.js';
import { whyOf } from '../base/transition.js';
import { type ContributionView, sentFacts } from '../contributions/contribution.js';
import {
  actorWords,
  changeWords,
  facts,
  hasRole,
  linkButton,
  type StaffMember,
  section,
  siteTitle,
  strange,
  timeOf,
  words,
} from '../pages/index.js';
import { decisionForms } from './web-forms.js';
import { keyHint, notes, type SenderView, stopSender } from './web-item-forms.js';
import { needsCloseLook } from './web-list.js';
import { itemPath, writeFilter } from './web-read-queue.js';
import { otherWork, renderedText, similarTexts, textChanges, texts } from './web-texts.js';

/** What the pane of the open item shows. */
export interface ItemView extends AboutView, SenderView {
  readonly reasons: readonly CannedReason[];
  /** Who else has it open now. */
  readonly others: readonly string[];
  readonly markdown: RenderMarkdown;
  /** The ids of the entries before and after it in the list. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Everything about one contribution on one screen. */
export function itemPane(view: ItemView): Html {
  const { item, filter, markdown, previous, next, others } = view;
  const title = titleOf(item);
  const text = renderedText(item, markdown);
  return (
    <section class="item" aria-labelledby="item-title" data-item={item.id} data-revision={item.revision}>
      <header>
        <p class="kicker">
          {words(typeOf(item))} · {siteTitle(item.site)} · {words(item.state)}
          {item.name !== null && [' · shown as ', strange(item.name)]}
        </p>
        <h2 id="item-title" tabindex="-1" dir={titleDirection(title, text.direction)}>
          {strange(title)}
        </h2>
        <p class="steps">
          {previous !== undefined && (
            <a href={itemPath(previous, filter)} data-key="k" aria-keyshortcuts="k" rel="prev">
              Previous {keyHint('k')}
            </a>
          )}
          {next !== undefined && (
            <a href={itemPath(next, filter)} data-key="j" aria-keyshortcuts="j" rel="next">
              Next {keyHint('j')}
            </a>
          )}
          <a href={`/queue${writeFilter(filter)}`} class="back">
            Close
          </a>
        </p>
      </header>
      <p id="changed" class="notice" hidden>
        This one was just changed by <bdi></bdi>. <a href={itemPath(item.id, filter)}>Show it as it is now</a>
      </p>
      {others.length > 0 && (
        <p class="open-by">
          {others.map((each, at) => [at > 0 && ', ', strange(each)])} {others.length === 1 ? 'has' : 'have'} this open
          too, or come{others.length === 1 && 's'} to it next.
        </p>
      )}
      {asked(item)}
      {decisionForms(view)}
      {warnings(item, view)}
      {similarTexts(item, filter)}
      {about(item, view)}
      {texts(item, text)}
      {textChanges(item)}
      {notes(view)}
      {otherWork(item, filter)}
      {stopSender(view)}
      {aboutIt(item)}
      {history(item)}
    </section>
  );
}

/** What the text answers, such as the question of a prompt, and what its human did. */
function asked({ prompt_question, text_changes, history, state, taken_down_by_human }: ContributionView): Fragment {
  const isNewText = text_changes.at(-1)?.by === 'agent';
  const request = isNewText ? history.findLast(({ to_state }) => to_state === 'changes_requested')?.reason : undefined;
  return (
    <>
      {prompt_question !== null && <p class="asked">The question: {strange(prompt_question)}</p>}
      {taken_down_by_human && <p class="asked">Its human took it down, so it cannot be published again.</p>}
      {state === 'pending_review' && text_changes.at(-1)?.by === 'human' && (
        <p class="asked">Its human undid what moderators edited. The words from before wait for you again.</p>
      )}
      {request && <p class="asked asis">This is a new text. Asked for was: {strange(request)}</p>}
    </>
  );
}

function warnings(item: ContributionView, view: AboutView) {
  const { checks, duplicate_of, access_ended_by } = item;
  const found = [
    ...checks.map(({ text, about: named }) => (
      <li>
        {strange(text)}
        {named && [' ', linkToText(named, view, 'Open it')]}
      </li>
    )),
    duplicate_of !== null && (
      <li>
        The same text of the same human waits as <a href={`/queue/${duplicate_of}`}>{duplicate_of.slice(0, 8)}</a>.
      </li>
    ),
    access_ended_by !== null && <li>The access of its agent was ended by {strange(access_ended_by)}.</li>,
  ].filter((each) => each !== false);
  if (found.length === 0) return undefined;
  const list = <ul>{found}</ul>;
  return needsCloseLook(item)
    ? section('warnings', `Look closely: risk ${item.risk} of 100`, list, { class: 'warnings' })
    : section('warnings', 'What the checks noticed', list);
}

function aboutIt(item: ContributionView) {
  return section(
    'facts',
    'About it',
    facts({
      Sent: timeOf(item.submitted_at),
      From: strange(item.email),
      'By agent': strange(item.agent_name),
      ...Object.fromEntries(sentFacts.map((name) => [capitalised(name), strange(item[name])])),
      Reason: strange(item.reason),
      Answer: item.answer && <span class="asis">{strange(item.answer)}</span>,
      'Moderators can read it until': timeOf(item.erases_at),
      Note: strange(item.note),
      'In the catalog': item.published_revision > 0 && `revision ${item.published_revision}`,
      Id: <code>{item.id}</code>,
    }),
  );
}

function history({ history: steps, mails }: ContributionView) {
  return section(
    'history',
    'History',
    <>
      <ol class="history">
        {steps.map((step) => (
          <li>
            {changeWords(step.from_state, step.to_state)}, {strange(actorWords(step.actor))}
            <span class="small"> {timeOf(step.occurred_at)}</span>
            {whyOf(step) && <q>{strange(whyOf(step))}</q>}
          </li>
        ))}
      </ol>
      {mails.length > 0 && (
        <ul class="history">
          {mails.map(({ purpose, state, sent_at }) => (
            <li>
              Mail about it ({words(purpose)}): {state}
              <span class="small"> {timeOf(sent_at)}</span>
            </li>
          ))}
        </ul>
      )}
    </>,
  );
}

/** Who looks at an item, and what is known of the draft that would bring its correction in. */
interface AboutView {
  readonly staff: Pick<StaffMember, 'roles'>;
  /** Who wrote the draft of the article's next revision; empty without one. */
  readonly draftAuthors: readonly string[];
}

/** The published text that an inquiry is about, with the way to a draft that corrects it. */
function about({ id, about: text, purpose }: ContributionView, view: AboutView) {
  if (text === null) return undefined;
  const { site, slug } = text;
  return section(
    'about',
    'What it is about',
    <>
      <p>
        {linkToText(text, view, strange(text.title)) ?? strange(text.title)}{' '}
        <span class="small">
          {slug === null ? 'community object' : 'article'} · {siteTitle(site)}
        </span>
      </p>
      {purpose === 'correction' && slug !== null && wayToDraft(`${pathOf(text)}/next`, id, view)}
    </>,
    { 'hx-boost': 'false' },
  );
}

/** A link to a published text for those who may open it. */
function linkToText(text: AboutTextView, { staff }: AboutView, label: Fragment): Fragment {
  return text.slug === null || hasRole(staff, 'editor', 'reader') ? <a href={pathOf(text)}>{label}</a> : undefined;
}

type AboutTextView = NonNullable<ContributionView['about']>;

function pathOf({ site, slug, object_id }: AboutTextView) {
  return slug === null ? `/articles/objects/${object_id}` : `/articles/${site}/${slug}`;
}

/** Whether a staff member may write the draft and read the correction beside it. */
export function mayCorrect(staff: Pick<StaffMember, 'roles'>): boolean {
  return hasRole(staff, 'editor') && hasRole(staff, 'moderator');
}

function wayToDraft(path: string, inquiry: string, { staff, draftAuthors }: AboutView): Fragment {
  if (!mayCorrect(staff)) {
    return <p class="small">Somebody who is moderator and editor, or an administrator, can start a draft with it.</p>;
  }
  const link = `${path}?inquiry=${inquiry}`;
  if (draftAuthors.length === 0) return <p>{linkButton(link, 'Start a draft with this correction')}</p>;
  return (
    <>
      <p class="notice">
        There is a <a href={path}>draft of this article</a> by {strange(draftAuthors.join(', '))} already.
      </p>
      <p>{linkButton(link, 'Bring this correction into the draft')}</p>
    </>
  );
}
