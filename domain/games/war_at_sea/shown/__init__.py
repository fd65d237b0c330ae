"""What is shown of War at Sea: pictures, sentences, names, figures. Nothing here decides."""
