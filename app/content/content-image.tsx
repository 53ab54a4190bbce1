import { useEffect, useRef, useState, type ReactNode } from "react";
import { toImageSources } from "./content-links.ts";

type ContentImageProps = {
  /** A link as it was given, ipfs or not. */
  link: string | null;
  /** The size and shape, which are the same whatever is shown. */
  className: string;
  /** Stands in its place while there is no picture, such as somebody's initials. */
  children: ReactNode;
};

/**
 * A picture from one of the places where its link leads: the next is tried when one fails, and then none is shown. It
 * is not read out: the words beside it say what it is of.
 */
export function ContentImage({ link, className, children }: ContentImageProps) {
  const sources = toImageSources(link);
  return (
    <span className={`relative inline-grid shrink-0 place-items-center overflow-hidden ${className}`}>
      {/* Another link begins anew. */}
      <FirstToLoad key={link} sources={sources}>
        {children}
      </FirstToLoad>
    </span>
  );
}

type FirstToLoadProps = { sources: string[]; children: ReactNode };

function FirstToLoad({ sources, children }: FirstToLoadProps) {
  const [tried, setTried] = useState(0);
  const [isLoaded, setIsLoaded] = useState(false);
  const picture = useRef<HTMLImageElement>(null);
  const source = sources[tried];
  const tryNext = () => setTried(tried + 1);

  useEffect(() => {
    // What happened before hydration is told to nobody.
    if (!picture.current?.complete) return;
    if (picture.current.naturalWidth > 0) setIsLoaded(true);
    else setTried(1);
  }, []);

  return (
    <>
      {!isLoaded && children}
      {source && (
        <img
          ref={picture}
          // A new element, so that no trace of the one that failed is left.
          key={source}
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onLoad={() => setIsLoaded(true)}
          onError={tryNext}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </>
  );
}
