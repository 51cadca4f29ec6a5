"""What a mind is written out as, beside Graph JSON. Pure: notes and links in, text or tables out."""
