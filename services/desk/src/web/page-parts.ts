// What the pages of the web desk are made of. A page imports from here; the folders of the parts never do.

export { sideBySide } from './difference/side-by-side.js';
export { reasonForm } from './forms/blocks.js';
export { buttonRow, formFault, linkButton, noEnter } from './forms/buttons.js';
export { csrfField } from './forms/csrf-field.js';
export { areaField, type Choice, checkField, guardField, selectField, textField, timeField } from './forms/fields.js';
export { type FormFaults, fieldsOf, inWords, noFaults, readFaults, readValues } from './forms/form-values.js';
export { isPreview, isRefused, mostOfText, refusal, type TextForm, textForm } from './forms/text-form.js';
export { csrfTokenOf } from './http/csrf.js';
export { formField, timeOfField } from './http/form-field.js';
export { onlyFor } from './http/only-for.js';
export { ownPath } from './http/own-path.js';
export { RefusedRequest } from './http/request-checks.js';
export { callOf, findStaff, longer, ownCall, staffOf } from './http/session.js';
export {
  answerForm,
  confirmPage,
  formPage,
  partOf,
  type SentForm,
  showPage,
  takeForm,
  toRevision,
} from './layout/form-pages.js';
export { mayOpen, sectionsOf } from './layout/navigation.js';
export { type Shown, sendPage, titled } from './layout/send-page.js';
export { columnsOf, moreLink, tableOf, titledTable } from './layout/tables.js';
export { shownText, sourceText, textPreview } from './layout/text-preview.js';
export { changeWords, facts, siteChoices, siteTitle, stateMark, strange, timeOf, words } from './layout/values.js';
export { hasRole } from './staff/has-role.js';
export {
  hashOf,
  isSecret,
  newSecret,
  rolesOf,
  type StaffMember,
  secretFor,
  toStaffMember,
} from './staff/staff-member.js';
export type { WebDesk } from './web-desk.js';
