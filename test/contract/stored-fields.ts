import type { Db, Document } from 'mongodb';
import type { CollectionSchema } from './schema-rules.js';

// biome-ignore lint/suspicious/noExplicitAny: rules are of every shape.
type Rule = Readonly<Record<string, any>>;

/** The fields that a schema names, those of inner objects with their path. */
export function fieldsOf({ validator }: Pick<CollectionSchema, 'validator'>): string[] {
  return [...new Set(namesIn(validator['$jsonSchema'] ?? {}, ''))].sort();
}

/** The fields that documents of a collection may lack, such as those that a later release added. */
export async function optionalFields(db: Db, collection: string): Promise<string[]> {
  const [found] = await db.listCollections({ name: collection }, { nameOnly: false }).toArray();
  const { required, properties } = (found as Document)['options'].validator.$jsonSchema;
  return Object.keys(properties).filter((name) => name !== '_id' && !required.includes(name));
}

function namesIn(rule: Rule, path: string): string[] {
  const inner = [rule['items'] ?? [], rule['oneOf'] ?? [], rule['anyOf'] ?? []].flat() as Rule[];
  return [
    ...((rule['required'] ?? []) as string[]).map((name) => path + name),
    ...Object.entries((rule['properties'] ?? {}) as Rule).flatMap(([name, property]) => [
      path + name,
      ...namesIn(property, `${path}${name}.`),
    ]),
    ...inner.flatMap((each) => namesIn(each, path)),
  ];
}

const act = (path: string) => ['actor', 'at', 'from', 'reason', 'revision', 'to'].map((name) => `${path}.${name}`);
const history = ['history', ...act('history')];
const failure = ['failure', ...['at', 'code', 'kind', 'stage', 'words'].map((name) => `failure.${name}`)];
const sends = [
  'attempts',
  'copies',
  'dueAt',
  'id',
  'purpose',
  'recordedAt',
  'sentAt',
  'state',
  'traceparent',
  'triedSince',
];
const mail = [...sends, ...failure].sort();
const mails = ['mails', ...mail.map((name) => `mails.${name}`), 'mailsDueAt'];
const transition = ['transition', 'transition.requestId', ...act('transition')];
const words = (text: string): string[] => text.split(/\s+/);

/** The row of the page `/privacy` that reports each stored field; `-` for collections with nothing about a person. */
export const toldOf: Readonly<Record<string, Readonly<Record<string, readonly string[]>> | '-'>> = {
  'knowledge_content.article_drafts': {
    authors: words(
      '_id draft draft.author draft.authors draft.baseRevision draft.body draft.createdAt draft.language draft.missedReason draft.publishedAt draft.readingTokens draft.scheduleReason draft.scheduledBy draft.summary draft.tags draft.title draft.updatedAt draft.wordCount lastEnd lastEnd.actor lastEnd.requestId lastEnd.to missedAt publishAt revision site slug',
    ),
  },
  'knowledge_content.article_revisions': {
    authors: [
      ...words(
        '_id article author body language publishedAt readingTokens restoredRevision revision site slug state summary tags title updatedAt wordCount',
      ),
      ...transition,
    ],
  },
  'knowledge_content.articles': {
    authors: words(
      '_id author body createdAt gloss gloss.summary gloss.title gloss.updatedAt gloss.updatedBy gloss.writtenForRevision language publishedAt readingTokens revision site slug state summary tags title updatedAt wordCount',
    ),
  },
  'knowledge_content.changes': { record: [...words('_id key site subject tags'), ...transition] },
  'knowledge_content.counts': '-',
  'knowledge_content.highlights': '-',
  'knowledge_content.migrations': '-',
  'knowledge_content.objects': {
    texts: words(
      '_id author body editedAt gloss gloss.summary gloss.title gloss.updatedAt gloss.updatedBy gloss.writtenForRevision kind language prompt prompt.id prompt.question publishedAt readingTokens revision site source state summary title updatedAt',
    ),
  },
  'knowledge_content.read_counts': { searches: words('_id batches expireAt reads site slug') },
  'knowledge_content.search_counts': { searches: words('_id expireAt missed read searched words') },
  'knowledge_content.search_salts': { searches: words('_id expireAt salt') },
  'knowledge_content.synonyms': { authors: words('_id createdAt from revision updatedAt updatedBy words') },
  'knowledge_contributions.authorizations': { access: words('_id contributions email endedAt endedBy') },
  'knowledge_contributions.canned_reasons': {
    record: [...words('_id decisions deleted order revision words'), ...history],
  },
  'knowledge_contributions.contributions': {
    texts: words(
      '_id about about.id about.kind about.site about.title agentName authorizationId body catalogRevision email erased language logSince mailbox name prompt prompt.id prompt.question publication publication.action publication.attempts publication.dueAt publication.revision publishedAt purpose revision site state submittedAt textChanges title tokenId type updatedAt',
    ),
    checks: words(
      'bands duplicateOf duplicateOf.id duplicateOf.own findings findings.check findings.text findings.weight risk terms textHash waves',
    ),
    decisions: [
      ...words(
        'agentEnd agentEnd.actor agentEnd.dueAt agentEnd.reason answer held held.actor held.at held.command held.reason held.takesEffectAt note notes publication.reason proposal proposal.actor proposal.at proposal.reason proposal.revision proposal.text reason reviewedAt',
      ),
      ...history,
    ],
    staff: words('looks'),
    mails: words('mails mailsDueAt'),
  },
  'knowledge_contributions.followers': '-',
  'knowledge_contributions.idempotency_slots': {
    repeats: words('contributionId deleteAt email expiresAt payloadHash takenAt'),
  },
  'knowledge_contributions.migrations': '-',
  'knowledge_contributions.notes': { decisions: words('_id at author contributionId text') },
  'knowledge_contributions.people': { mails: words('_id eachReceipt joined') },
  'knowledge_contributions.presence': { staff: words('_id deleteAt open') },
  'knowledge_contributions.prompts': {
    record: [...words('_id closesAt createdAt dueAt openedAt opensAt question revision site state'), ...history],
  },
  'knowledge_contributions.sites': '-',
  'knowledge_contributions.transitions': {
    record: words('_id actor at audit decision from id person reason requestId revision site subject to'),
  },
  'knowledge_identity.access_keys': { links: words('_id createdAt email hashes purgeAt site'), mails },
  'knowledge_identity.authorizations': {
    requests: [
      ...words(
        '_id agentName codes codes.attempt codes.goodUntil codes.hash codes.keyHash codes.keySalt codes.mailId createdAt decidedAt decision deviceHashes email expiresAt lastPolledAt logSince mailbox origin pickUpUntil purgeAt purpose renews renews.agentName renews.tokenId revision rootAuthorizationId scopes site state timerAt userCode userCodeHash userCodeRule wrongUserCodes',
      ),
      ...history,
    ],
    access: words('grant grant.issuedAt grant.redeliverUntil grant.salt grant.tokenHash grant.tokenId'),
    mails,
  },
  'knowledge_identity.blocks': {
    blocks: words('_id createdAt endedBy link link.at link.keyId noLinks purgeAt until'),
    'blocks-by-us': words('actor reason'),
  },
  'knowledge_identity.erasures': {
    erasures: words(
      '_id askedAt askedBy decidedAt decidedBy email erasedHere lapsesAt person purgeAt reason state withWork',
    ),
  },
  'knowledge_identity.mail_domain_days': { requests: words('_id humans purgeAt') },
  'knowledge_identity.mail_domain_rules': { record: words('_id actor at effect humansADay reason') },
  'knowledge_identity.migrations': '-',
  'knowledge_identity.requesters': { requests: words('_id address clientId email purgeAt') },
  'knowledge_identity.sign_in_codes': { staff: words('_id madeBy name purgeAt roles usedFor') },
  'knowledge_identity.staff_members': { staff: words('_id displayName email lastSignedInAt purgeAt roles') },
  'knowledge_identity.staff_sessions': {
    staff: [
      ...words('_id createdAt displayName email endedAt expiresAt id lastSeenAt logSince name purgeAt roles'),
      ...history,
    ],
  },
  'knowledge_identity.tokens': {
    access: [
      ...words(
        '_id agentName authorizationId createdAt email expiresAt id lastUsedAt logSince purgeAt revokedAt rootAuthorizationId scopes state',
      ),
      ...history,
    ],
  },
  'knowledge_identity.transitions': {
    record: words(
      '_id actor at audit from id person reason requestId revision rootAuthorizationId subject to withdrawWaiting',
    ),
  },
  'knowledge_quota.ceilings': { record: words('_id actor at limit reason') },
  'knowledge_quota.counters': {
    counts: words('_id count expiresAt grants open turn units units.id units.keys window'),
  },
  'knowledge_quota.migrations': '-',
  'knowledge_quota.subject_acts': { record: words('_id actor at before id limit person reason subject to') },
  'knowledge_quota.used_up_days': '-',
};
