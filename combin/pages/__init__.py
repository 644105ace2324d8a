"""A page is defined once, as blocks with exact cells; each output form has one writer."""
