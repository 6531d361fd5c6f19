using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

var manuals = Path.GetFullPath("/srv/manuals");
var notes = Path.Combine(manuals, "notes");
var uploads = Path.Combine(manuals, "uploads");

app.MapGet("/manuals", ([FromQuery] string file) =>
{
    var full = Path.Combine(manuals, file);
    if (!full.StartsWith(manuals + Path.DirectorySeparatorChar))
        return Results.NotFound();
    return Results.File(full, "application/pdf");
});

app.MapGet("/drawings", ([FromQuery] string sheet) =>
{
    var root = Path.Combine(manuals, "drawings") + Path.DirectorySeparatorChar;
    var full = Path.GetFullPath(Path.Combine(root, sheet));
    return full.StartsWith(root, StringComparison.Ordinal)
        ? Results.File(full, "image/svg+xml")
        : Results.NotFound();
});

app.MapPost("/notes", async (NoteRequest note) =>
{
    var target = Path.Combine(notes, Slug(note.Title) + ".md");
    await File.WriteAllTextAsync(target, note.Text);
    return Results.Created("/notes/" + Slug(note.Title), null);
});

app.MapDelete("/uploads/{token}", (string token) =>
{
    if (token.Contains("..") || token.Contains('/'))
        return Results.BadRequest();
    var name = Encoding.UTF8.GetString(Convert.FromBase64String(token));
    File.Delete(Path.Combine(uploads, name));
    return Results.NoContent();
});

app.MapGet("/uploads/recent", (HttpRequest request) =>
{
    var names = request.Cookies["recent"]?.Split('|') ?? [];
    var texts = names
        .Where(n => n.EndsWith(".txt") || !Path.HasExtension(n))
        .Select(n => Path.Combine(uploads, n))
        .Select(File.ReadAllText);
    return Results.Json(texts.ToList());
});

app.Run();

static string Slug(string title) =>
    "n-" + Regex.Replace(title.ToLowerInvariant(), "[^a-z0-9]+", "-");

record NoteRequest(string Title, string Text);
