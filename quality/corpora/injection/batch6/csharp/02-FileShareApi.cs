using System.IO;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton(new ShareOptions("/srv/share", "/srv/share-admin"));
var app = builder.Build();

app.MapGet("/files", async (string name, ShareOptions options) =>
{
    var full = Path.Combine(options.Root, name);
    if (!File.Exists(full))
    {
        return Results.NotFound();
    }
    var bytes = await File.ReadAllBytesAsync(full);
    return Results.Bytes(bytes, "application/octet-stream", Path.GetFileName(full));
});

app.MapGet("/text", (string name, ShareOptions options) =>
{
    var full = Path.GetFullPath(Path.Combine(options.Root, name));
    if (!full.StartsWith(options.Root, System.StringComparison.Ordinal))
    {
        return Results.StatusCode(403);
    }
    return Results.Text(File.ReadAllText(full));
});

app.MapGet("/preview", (string name, ShareOptions options) =>
{
    var root = Path.GetFullPath(options.Root) + Path.DirectorySeparatorChar;
    var full = Path.GetFullPath(Path.Combine(root, name));
    return full.StartsWith(root, System.StringComparison.Ordinal)
        ? Results.File(full, "image/png")
        : Results.StatusCode(403);
});

app.MapPost("/files", async (HttpRequest request, ShareOptions options) =>
{
    var form = await request.ReadFormAsync();
    foreach (var file in form.Files)
    {
        var name = Path.GetFileName(file.FileName);
        if (string.IsNullOrEmpty(name) || name == "." || name == "..")
        {
            continue;
        }
        using var stream = File.Create(Path.Combine(options.Root, name));
        await file.CopyToAsync(stream);
    }
    return Results.Accepted();
});

app.MapPut("/admin/motd", async (HttpRequest request, ShareOptions options) =>
{
    using var reader = new StreamReader(request.Body);
    await File.WriteAllTextAsync(Path.Combine(options.Admin, "motd.txt"), await reader.ReadToEndAsync());
    return Results.NoContent();
});

app.MapDelete("/files", (string folder, ShareOptions options) =>
{
    var trimmed = folder.TrimStart('/', '.');
    var target = new DirectoryInfo(Path.Combine(options.Root, "public", trimmed));
    if (target.Exists)
    {
        target.Delete(true);
    }
    return Results.NoContent();
});

app.Run();

record ShareOptions(string Root, string Admin);
