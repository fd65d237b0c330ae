"""What is shown of Naval Battles: pictures, sentences, names, figures. Nothing here decides."""
