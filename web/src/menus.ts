/** The piece of the page with which something is done to a session: the menus, the form of a rule, and files. */
// The page is there before its pieces: with this, nothing that they share is put into files of its own.
import './page.tsx';

export { ActList, BreakList } from './pods/ActLists.tsx';
export { PodMenu } from './pods/PodMenu.tsx';
export { RuleForm } from './pods/RuleForm.tsx';
export { openings } from './share/files.ts';
export { RecordingPane } from './share/RecordingPane.tsx';
export { ShareList } from './share/ShareList.tsx';
