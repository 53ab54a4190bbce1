/* Loaded with the first toast. */
export { MessageList } from "./message-list.tsx";
export { ToastList } from "./toast-list.tsx";
