using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;

namespace Intranet.Pages.Cases;

public class AttachmentsModel : PageModel
{
    private const string Root = "/srv/cases/files";
    private const string Archive = "/srv/cases/archive";

    private readonly ILogger<AttachmentsModel> _logger;

    public AttachmentsModel(ILogger<AttachmentsModel> logger) => _logger = logger;

    [BindProperty(SupportsGet = true)]
    public string CaseNumber { get; set; } = "";

    public IReadOnlyList<string> Lines { get; private set; } = Array.Empty<string>();

    private string CaseFile => Path.Combine(Root, CaseNumber);

    public void OnGet()
    {
        Lines = System.IO.File.ReadLines(CaseFile)
            .Where(line => line.Length > 0)
            .Take(200)
            .ToList();
    }

    public IActionResult OnGetDownload(string file)
    {
        var cleaned = file.Replace("../", "");
        var path = Path.Combine(Archive, cleaned);
        _logger.LogInformation("Sending {File}", cleaned);
        return PhysicalFile(path, "application/octet-stream", "attachment.bin");
    }

    public IActionResult OnGetThumbnail(string file)
    {
        var name = Path.GetFileName(file);
        var path = Path.Combine("/srv/cases/thumbs", name + ".jpg");
        return File(System.IO.File.OpenRead(path), "image/jpeg");
    }

    public IActionResult OnPostDelete(string file)
    {
        var full = Path.GetFullPath(Path.Combine(Root, file));
        if (!full.StartsWith(Root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
            return NotFound();
        System.IO.File.Delete(full);
        return RedirectToPage();
    }

    public IActionResult OnPostRestore(string file)
    {
        var source = Path.Combine(Archive, file);
        if (!source.StartsWith(Archive + "/", StringComparison.Ordinal))
            return NotFound();
        System.IO.File.Move(source, Path.Combine(Root, Path.GetRandomFileName()));
        return RedirectToPage();
    }
}
