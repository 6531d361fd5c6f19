using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

var root = Path.GetFullPath("/srv/plans");
var rootWithSlash = root + Path.DirectorySeparatorChar;

app.MapGet("/plans", (string file) =>
{
    var full = Path.GetFullPath(Path.Combine(root, file));
    if (!full.StartsWith(rootWithSlash, StringComparison.Ordinal))
    {
        return Results.Forbid();
    }
    return Results.Bytes(File.ReadAllBytes(full), "application/pdf");
});

app.MapGet("/plans/text", async (string file) =>
{
    var full = Path.Combine(root, file);
    if (!full.StartsWith(root))
    {
        return Results.Forbid();
    }
    return Results.Text(await File.ReadAllTextAsync(full));
});

app.MapDelete("/plans", (string file) =>
{
    var full = Path.GetFullPath(file, root);
    if (full.StartsWith(root))
    {
        File.Delete(full);
    }
    return Results.NoContent();
});

app.MapPut("/plans/{id:guid}", async (Guid id, HttpRequest request) =>
{
    await using var stream = File.Create(Path.Combine(root, id.ToString("N") + ".pdf"));
    await request.Body.CopyToAsync(stream);
    return Results.Accepted();
});

app.Run();
