import { ConfirmedErasureServiceService, ErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { StaffServiceService, StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { MailAdminServiceService } from '@knowledge/proto/knowledge/mail/v1/mail_admin';
import { accessTable, protoService } from '@knowledge/runtime/grpc';

/** The methods that each caller may call under mutual TLS. The desk may call everything, so it is not listed. */
export const access = accessTable(
  protoService(IdentityServiceService, {
    createAuthorization: ['gateway'],
    getConfirmation: ['gateway'],
    decideAuthorization: ['gateway'],
    resendConfirmation: ['gateway'],
    exchangeDeviceCode: ['gateway'],
    resolveTokens: ['gateway'],
    getToken: ['gateway'],
    revokeToken: ['gateway'],
    getAccess: ['gateway'],
    revokeAccess: ['gateway'],
    mailAccessLink: ['gateway'],
    replaceAccessLinks: ['gateway'],
    refuseRequests: ['gateway'],
    refuseLinks: ['gateway'],
    allowRequests: ['gateway'],
    createAccessKey: ['contributions'],
    watchEndedAuthorizations: ['contributions'],
  }),
  protoService(GrantAdminServiceService, {
    listTokens: ['support'],
    getTokenRecord: ['support'],
    revokeTokenById: ['support'],
    cancelAuthorization: ['support'],
    endAgentAccess: ['moderator', 'contributions'],
    getBlock: ['moderator'],
    blockRequests: ['support', 'moderator'],
    unblockRequests: ['support', 'moderator'],
    issueToken: ['support'],
    listAuthorizations: ['support'],
    getAuthorizationRecord: ['support'],
    streamPersonExport: ['support'],
    erasePerson: ['support'],
    sendAccessLink: ['support'],
    watchGrants: ['support', 'analyst'],
  }),
  protoService(MailDomainServiceService, {
    listMailDomainRules: ['support', 'moderator'],
    putMailDomainRule: ['support', 'moderator'],
    removeMailDomainRule: ['support', 'moderator'],
  }),
  protoService(StaffSessionServiceService, {
    startSession: ['web-desk'],
    redeemSignInCode: ['web-desk'],
    getSession: ['web-desk'],
    signOut: ['web-desk'],
  }),
  protoService(StaffServiceService, {
    // No team is named here, so only administrators may.
    listSessions: [],
    endSession: [],
    listStaff: [],
    createSignInCode: ['operator'],
  }),
  protoService(ErasureServiceService, {
    requestErasure: ['support'],
    confirmErasure: ['support'],
    cancelErasure: ['support'],
    listErasures: ['support'],
  }),
  protoService(ConfirmedErasureServiceService, {
    getConfirmedErasure: ['contributions'],
    finishErasure: ['contributions'],
  }),
  protoService(MailAdminServiceService, {
    listFailedMails: ['support', 'operator'],
    sendMailAgain: ['support', 'operator'],
  }),
);
