import { fromBinary } from '@bufbuild/protobuf';
import { type DescriptorProto, FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { descriptorSet } from '@knowledge/proto/descriptors';
import { expect, it } from 'vitest';

/** Methods that recognise a repeated change by a request field, whose value the caller creates anew for each change. */
const byField: Readonly<Record<string, string>> = {
  'quota.QuotaService/Consume': 'items.id',
  'quota.QuotaService/Settle': 'settlements.lease',
  'identity.IdentityService/CreateAuthorization': 'request_key',
  'identity.GrantAdminService/IssueToken': 'request_key',
  'identity.StaffSessionService/StartSession': 'secret_hash',
  'identity.StaffSessionService/RedeemSignInCode': 'secret_hash',
  'identity.StaffService/CreateSignInCode': 'code_hash',
  'content.EditorialService/PutObject': 'id',
  'content.SearchCountService/CountReads': 'batch',
  'content.PublicationService/PublishObject': 'revision',
  'content.PublicationService/RetractObject': 'revision',
  'contributions.ContributionsService/SubmitContribution': 'id',
  'contributions.PromptService/CreatePrompt': 'id',
  'contributions.TeamworkService/AddNote': 'id',
};

/** Methods that recognise a repeated change by the metadata `x-request-id`. */
const byRequestId: readonly string[] = [
  ...['content.EditorialService/DeleteArticle', 'content.ArticleDraftService/PublishArticleDraft'],
  ...['content.ArticleDraftService/DiscardArticleDraft', 'content.SearchWordsService/DeleteSynonym'],
  ...['identity.IdentityService/ResendConfirmation', 'identity.IdentityService/MailAccessLink'],
  ...['identity.IdentityService/ReplaceAccessLinks', 'identity.GrantAdminService/UnblockRequests'],
  ...['identity.GrantAdminService/SendAccessLink', 'identity.ErasureService/RequestErasure'],
  'contributions.ContributionsService/WithdrawContribution',
  ...['contributions.ContributionsService/TakeDownContribution', 'contributions.ContributionsService/DecideEdit'],
  ...['contributions.ModerationService/Decide', 'contributions.ModerationService/EditContribution'],
  ...['contributions.ModerationService/RejectGroup', 'contributions.ModerationService/UndoDecision'],
];

/** Methods whose request names the final state, so repeating it changes nothing. The text says why. */
const byNature: Readonly<Record<string, string>> = {
  'content.EditorialService/PutArticle': 'the article is there; the outcome says that nothing was written again',
  'content.EditorialService/RestoreArticleRevision':
    'the article has that text; the outcome says that nothing was written again',
  'content.EditorialService/PublishArticle': 'it is published, and is given',
  'content.EditorialService/ArchiveArticle': 'it is archived, and is given',
  'content.EditorialService/ReturnArticleToDraft': 'it is a draft, and is given',
  'content.EditorialService/SetHighlights': 'they are so, and are given',
  'content.EditorialService/WithdrawObject': 'it is withdrawn',
  'content.ArticleDraftService/PutArticleDraft': 'it reads so; the outcome says that nothing was written again',
  'content.ArticleDraftService/UnscheduleArticleDraft': 'it has no time, and is given',
  'content.SearchCountService/CountSearches': 'a reader counts once for the same words and event',
  'content.SearchWordsService/PutSynonym': 'it is so, and is given',
  'content.SearchWordsService/PutSynonyms': 'they are so; the outcomes say that nothing was written again',
  'content.SearchWordsService/PutGloss': 'it is so, and is given',
  'quota.QuotaAdminService/ResetSubject': 'all allowances are whole, and are given',
  'quota.QuotaAdminService/SetCeiling': 'it is so, and is given',
  'identity.IdentityService/DecideAuthorization': 'it is decided so, and is given without the access key',
  'identity.IdentityService/ExchangeDeviceCode':
    'the device code gives the same token for ten minutes; a poll changes nothing',
  'identity.IdentityService/RevokeToken': 'the first end counts, and is given',
  'identity.IdentityService/RevokeAccess': 'it has ended; the counts are those of one call',
  'identity.IdentityService/CreateAccessKey': 'another key opens the same page; the number of keys is bounded',
  'identity.IdentityService/RefuseRequests': 'they are refused',
  'identity.IdentityService/RefuseLinks': 'they are refused',
  'identity.IdentityService/AllowRequests': 'they are allowed',
  'identity.GrantAdminService/RevokeTokenById': 'the first end counts, and is given',
  'identity.GrantAdminService/CancelAuthorization': 'it is cancelled, and is given',
  'identity.GrantAdminService/EndAgentAccess': 'it has ended',
  'identity.GrantAdminService/BlockRequests': 'they are blocked',
  'identity.MailDomainService/PutMailDomainRule': 'it is so, and is given',
  'identity.MailDomainService/RemoveMailDomainRule': 'it is not there',
  'identity.GrantAdminService/ErasePerson': 'they are erased; the counts are those of one call',
  'contributions.ContributionsService/EraseContribution': 'it is not there',
  'identity.StaffSessionService/SignOut': 'it is over',
  'identity.StaffService/EndSession': 'it is over; the first end counts, and is given',
  'identity.ErasureService/ConfirmErasure': 'it is confirmed, and is given',
  'identity.ErasureService/CancelErasure': 'it is cancelled, and is given',
  'identity.ConfirmedErasureService/FinishErasure': 'it is finished',
  'contributions.ContributionsService/WithdrawWaiting': 'all that was withdrawn is counted, by earlier calls too',
  'contributions.ContributionsService/ReviseContribution':
    'it has that text; the payload hash tells that nothing changed',
  'contributions.ContributionsService/SetMailChoice': 'it is chosen',
  'contributions.ModerationService/EraseContributor': 'they are erased; the counts are those of one call',
  'contributions.TeamworkService/AnnouncePresence': 'the presence is there, and is renewed',
  'contributions.TeamworkService/EndPresence': 'it has ended',
  'contributions.ReasonService/PutReason': 'it is so, and is given',
  'contributions.ReasonService/DeleteReason': 'it is deleted',
  'contributions.PromptService/ActivatePrompt': 'it is active, and is given',
  'contributions.PromptService/ClosePrompt': 'it is closed, and is given',
  'contributions.PromptService/CorrectPrompt': 'it reads so, and is given',
  'mail.MailAdminService/SendMailAgain': 'the mail is due; one that was sent meanwhile is not found',
};

const { file: files } = fromBinary(FileDescriptorSetSchema, descriptorSet());
const messages = new Map<string, DescriptorProto>(
  files.flatMap(({ package: pkg, messageType }) => messageType.map((each) => [`.${pkg}.${each.name}`, each] as const)),
);
const { NO_SIDE_EFFECTS, IDEMPOTENT } = MethodOptions_IdempotencyLevel;

/** All methods that change something, except the watch streams. */
const changes = files.flatMap(({ package: pkg, service: services }) =>
  services.flatMap(({ name: service, method: methods }) =>
    methods
      .filter((each) => pkg.startsWith('knowledge.') && !each.serverStreaming)
      .filter(({ options }) => options?.idempotencyLevel !== NO_SIDE_EFFECTS)
      .map(({ name, inputType, options }) => ({
        name: `${pkg.split('.')[1]}.${service}/${name}`,
        input: messages.get(inputType),
        level: options?.idempotencyLevel,
      })),
  ),
);

it('every change is recognised when it is repeated', () => {
  const known = [...Object.keys(byField), ...byRequestId, ...Object.keys(byNature)];
  expect(changes.length).toBeGreaterThan(40);
  expect(changes.map(({ name }) => name).sort(), 'say above how a repeat of a new method is known').toEqual(
    known.sort(),
  );
});

it('each field that recognises a repeat exists in its request', () => {
  for (const { name, input } of changes) {
    const path = byField[name];
    if (path !== undefined) expect(hasField(input, path.split('.')), `${name}: ${path}`).toBe(true);
  }
});

it('clients retry only methods that need no new id', () => {
  const declared = changes.filter(({ level }) => level === IDEMPOTENT).map(({ name }) => name);
  const manual = ['ExchangeDeviceCode', 'CreateAccessKey', 'IssueToken'];
  for (const name of [...Object.keys(byField), ...Object.keys(byNature)]) {
    expect(declared.includes(name), name).toBe(!manual.some((each) => name.endsWith(`/${each}`)));
  }
});

function hasField(message: DescriptorProto | undefined, [name, ...rest]: string[]): boolean {
  const field = message?.field.find((each) => each.name === name);
  if (field === undefined) return false;
  return rest.length === 0 || hasField(messages.get(field.typeName), rest);
}
