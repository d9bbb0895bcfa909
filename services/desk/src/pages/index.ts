// What the pages of the web desk are made of. The pages of a noun import from here; the files of this folder never do.

export { words } from '../base/text.js';
export {
  actButton,
  areaField,
  atMost,
  buttonRow,
  type Choice,
  checkField,
  csrfField,
  filterForm,
  formBlock,
  guardField,
  linkButton,
  mainButton,
  noEnter,
  reasonField,
  reasonForm,
  selectField,
  siteField,
  textField,
  timeField,
} from './fields.js';
export {
  answerForm,
  confirmPage,
  formPage,
  partOf,
  type SentForm,
  showPage,
  takeForm,
  toRevision,
} from './form-pages.js';
export {
  daysOf,
  type FormFaults,
  fieldsOf,
  formField,
  inWords,
  isRefused,
  noFaults,
  pageIn,
  readFaults,
  readValues,
  refusal,
  requiredReasonOf,
  revisionIn,
  timeOfField,
} from './form-values.js';
export { mayOpen, type Shown, sectionsOf, sendFile, sendPage, titled } from './page.js';
export { isOfHtmx, isUnsafe, ownPath, RefusedRequest } from './requests.js';
export { callOf, findStaff, formCallOf, longer, onlyFor, ownCall, staffOf } from './session.js';
export { sideBySide } from './side-by-side.js';
export {
  hashOf,
  hasRole,
  isSecret,
  newSecret,
  rolesOf,
  type StaffMember,
  secretFor,
  toStaffMember,
} from './staff.js';
export {
  isPreview,
  mostOfText,
  putOfText,
  shownText,
  sourceText,
  type TextForm,
  type TextView,
  textFields,
  textPage,
  textPreview,
} from './text-form.js';
export {
  actorWords,
  type Cells,
  changeWords,
  facts,
  historyTable,
  linkLine,
  marked,
  moreLink,
  section,
  siteChoices,
  siteTitle,
  stateMark,
  strange,
  tableOf,
  timeOf,
  titledTable,
  titleLink,
} from './values.js';
export type { Editorial, RequestCalls, WebDesk } from './web-desk.js';
