import { FaqList } from "./faq-list.tsx";

/** Public: members and visitors alike. */
export default function FaqsRoute() {
  return <FaqList />;
}
