"""What is shown of Crimson Tide: pictures, sentences, names, figures. Nothing here decides."""
