/** Links that open a mail or a chat with the message and the link in it. */
export function shareTargets(link: string, message: string): { name: string; href: string }[] {
  const [text, url, both] = [message, link, `${message} ${link}`].map(encodeURIComponent);
  return [
    { name: "Email", href: `mailto:?subject=${text}&body=${both}` },
    { name: "WhatsApp", href: `https://wa.me/?text=${both}` },
    { name: "Telegram", href: `https://t.me/share/url?url=${url}&text=${text}` },
    { name: "X", href: `https://x.com/intent/post?text=${text}&url=${url}` },
  ];
}
